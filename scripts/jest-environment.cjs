const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

/**
 * Jest's environment for Node in a plain context. Its own asks a proxy for every global that a test or a package reads,
 * `Array` and `Object` included, which was three quarters of the time of the suites over IndexedDB in memory.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
};

const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

/**
 * Jest's Node environment in a plain context. Jest's own reads every global, even `Array` and `Object`, through a
 * proxy, which took three quarters of the time of the in-memory IndexedDB suites.
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

// eslint-disable-next-line no-restricted-syntax -- Jest takes a default export here.
export { tearDown as default } from "./cluster-setup.ts";

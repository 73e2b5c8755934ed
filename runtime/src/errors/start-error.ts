/**
 * Why a process cannot start, in words for whoever starts it. Entry files print the message alone: it names
 * what to change and holds neither a stack nor a value of the configuration.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartError";
  }
}

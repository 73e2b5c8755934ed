/**
 * Why a process cannot start, in words for the operator. Entry files print only the message, which names what to change
 * and contains no value of the configuration.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartError";
  }
}

export interface Connection {
  readonly id: string;
}

export type Handle = () => readonly string[];

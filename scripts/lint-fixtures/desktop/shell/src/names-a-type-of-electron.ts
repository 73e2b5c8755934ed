import type { Rectangle } from "electron";

export const area = ({ width, height }: Rectangle): number => width * height;

import "./icon.css";

/** Strokes on a grid of 24, in the colour of the text beside them. */
export function Strokes({
  path,
  size,
  width = 1.8,
}: {
  readonly path: string;
  /** Of either side, in CSS pixels. */
  readonly size: number;
  readonly width?: number;
}) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

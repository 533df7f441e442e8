/** The flags of `synthesis up`. */
export interface UpOptions {
  state: string;
  port?: number;
  claude?: string;
  cwd?: string;
  permissionMode?: string;
  delivery?: string;
  detach: boolean;
  /** Takes over from the bridge that runs. */
  replace: boolean;
  /** What becomes of Claude Codes at a signal; asked, or as usual, when left out. */
  onExit?: 'keep' | 'end';
  /** Nothing after the ready line. */
  quiet: boolean;
  json: boolean;
}

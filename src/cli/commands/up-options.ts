/** The flags of `synthesis up`. */
export interface UpOptions {
  state: string;
  port?: number;
  claude?: string;
  cwd?: string;
  permissionMode?: string;
  delivery?: string;
  detach: boolean;
  /** Nothing after the ready line. */
  quiet: boolean;
  json: boolean;
}

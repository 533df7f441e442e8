/** Something in the state folder that nothing needs. */
export interface Leftover {
  /**
   * `session`: text and files of one that was removed and kept. `segment`: a file of the archive that joins nothing.
   * `damaged`: a copy of a damaged journal. `folder`: files of a session that nobody knows.
   */
  kind: 'session' | 'segment' | 'damaged' | 'folder';
  /** Key of the session, or path in the state folder. */
  name: string;
  bytes: number;
}

export interface PruneResult {
  deleted: Leftover[];
  /** Files of the archive that are still being cleaned. */
  archive: number;
}

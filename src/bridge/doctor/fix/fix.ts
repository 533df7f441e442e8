/** Something that is set right without a question: it can be told for certain, and nothing is lost by it. */
export interface Fix {
  /** Of the check that finds it. */
  name: string;
  /** What was done, a sentence. */
  did: string;
  /** @throws what the file system says */
  carryOut(): void | Promise<void>;
}

/** The stable `--json` shape. */
export interface Fixed {
  name: string;
  message: string;
  /** False when the system refused: then it is as it was. */
  done: boolean;
}

/** One after the other. */
export async function carriedOut(fixes: readonly Fix[]): Promise<Fixed[]> {
  const done: Fixed[] = [];
  for (const { name, did, carryOut } of fixes) {
    try {
      await carryOut();
      done.push({ name, message: did, done: true });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      done.push({ name, message: `Not done, the system refused it: ${why} (${did})`, done: false });
    }
  }
  return done;
}

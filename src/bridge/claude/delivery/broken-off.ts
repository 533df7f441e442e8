/** What is said of a message when the bridge itself failed. @param sent Enter was pressed, or the channel has it */
export const brokenOff = (error: unknown, sent: boolean): string =>
  `The bridge could not hand it over (${error instanceof Error ? error.message : String(error)}). ${
    sent ? 'It is not known whether Claude Code took it.' : 'Claude Code has not seen it: send it again.'
  }`;

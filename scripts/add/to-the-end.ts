// Sees that a command ends with a status and words, whatever happens in it. Knows nothing of skills.

/**
 * Runs `main` and sets its status as the process's: 1 with words when it throws, or when the process has nothing left to
 * do before it is done (a stream that never settles), which Node answers with a warning and 13.
 */
export function toTheEnd(main: () => Promise<number>, complain: (text: string) => void): void {
  const stuck = (): void => {
    complain('It stopped halfway: something that it waited for never came. Nothing was finished.')
    process.exitCode = 1
  }
  process.once('beforeExit', stuck)
  void main()
    .catch((error: unknown) => {
      complain(error instanceof Error ? error.message : String(error))
      return 1
    })
    .then((status) => {
      process.off('beforeExit', stuck)
      process.exitCode = status
    })
}

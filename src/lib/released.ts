// Releases answers of other objects at once. Until its answers are disposed of or collected, a calling object stays in memory
// (and is billed) as if it were waiting.

/** Forwards calls; each answer is plain data that is already disposed of. Not for answers with a stream. */
export function released<T extends object>(stub: T): T {
  return new Proxy(stub, {
    get(target, method) {
      return async (...args: readonly unknown[]): Promise<unknown> => {
        // A stub has every method; T says which of them exist on the other side.
        const calls = target as Record<PropertyKey, (...args: readonly unknown[]) => Promise<unknown>>
        const answer = await calls[method]?.(...args)
        if (typeof answer === 'object' && answer !== null && Symbol.dispose in answer)
          (answer as Disposable)[Symbol.dispose]()
        return answer
      }
    },
  })
}

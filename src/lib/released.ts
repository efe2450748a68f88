// Answers of other objects, let go of as soon as they are here. Until its answers are disposed of, or collected some
// day, an object that asked is kept in memory (and billed) as if it still waited for them.

/** Calls go through unchanged; each answer is plain data that was disposed of. Not for answers that hold a stream. */
export function released<T extends object>(stub: T): T {
  return new Proxy(stub, {
    get(target, method) {
      return async (...args: readonly unknown[]): Promise<unknown> => {
        // A stub has every method one asks for; T says which of them exist on the other side.
        const calls = target as Record<PropertyKey, (...args: readonly unknown[]) => Promise<unknown>>
        const answer = await calls[method]?.(...args)
        if (typeof answer === 'object' && answer !== null && Symbol.dispose in answer)
          (answer as Disposable)[Symbol.dispose]()
        return answer
      }
    },
  })
}

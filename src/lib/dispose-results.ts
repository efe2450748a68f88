// Disposes of RPC results immediately. As long as a result has not been disposed of or garbage-collected, the
// calling object stays in memory (and is billed) as if it were waiting.

/**
 * Forwards calls, and disposes of each result before it is returned. Results must be plain data without a
 * stream.
 */
export function withDisposedResults<T extends object>(stub: T): T {
  return new Proxy(stub, {
    get(target, method) {
      return async (...args: readonly unknown[]): Promise<unknown> => {
        // The cast is safe: a stub has every method, and T says which of them exist on the other side.
        const methods = target as Record<PropertyKey, (...args: readonly unknown[]) => Promise<unknown>>
        const result = await methods[method]?.(...args)
        if (typeof result === 'object' && result !== null && Symbol.dispose in result)
          (result as Disposable)[Symbol.dispose]()
        return result
      }
    },
  })
}

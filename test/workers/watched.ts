// Wraps a binding so that every call is reported before it is made.

export function watched<T extends object>(
  binding: T,
  reported: (method: string, args: readonly unknown[]) => void,
): T {
  return new Proxy(binding, {
    get(target, method) {
      const own: unknown = Reflect.get(target, method)
      if (typeof own !== 'function') return own
      return (...args: readonly unknown[]): unknown => {
        reported(String(method), args)
        return Reflect.apply(own, target, args)
      }
    },
  })
}

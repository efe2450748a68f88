// The maximum budget that a run may request, by the name of the limit. A limit that is absent is not restricted.

export type MaxBudget = Readonly<Record<string, number | undefined>>

/** The budget with each limit lowered to the maximum. */
export function lowered<B extends Readonly<Record<keyof B, number>>>(budget: B, most: MaxBudget): B {
  const limits = Object.entries<number>(budget).map(([name, limit]) => [
    name,
    Math.min(limit, most[name] ?? limit),
  ])
  // The cast is safe: the names are those of `budget`.
  return Object.fromEntries(limits) as B
}

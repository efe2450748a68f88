// Named points at which a crash test may abort the object. Does nothing in production.

type Hook = (point: string, ctx: DurableObjectState) => Promise<void> | void

/** Set only by fault tests, which run in the same isolate. */
export const crashPlan: { hook: Hook | null } = { hook: null }

export async function checkpoint(point: string, ctx: DurableObjectState): Promise<void> {
  if (crashPlan.hook) await crashPlan.hook(point, ctx)
}

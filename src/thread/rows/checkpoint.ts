// Named points between which a run may die. Does nothing in production; the crash tests abort the object here.

type Hook = (point: string, ctx: DurableObjectState) => Promise<void> | void

/** Set by fault tests only (same isolate). */
export const crashPlan: { hook: Hook | null } = { hook: null }

export async function checkpoint(point: string, ctx: DurableObjectState): Promise<void> {
  if (crashPlan.hook) await crashPlan.hook(point, ctx)
}

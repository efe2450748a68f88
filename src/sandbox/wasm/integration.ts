// Types for JavaScript Promise Integration, which suspends WebAssembly during a call.

/** Missing in the platform's types. */
interface PromiseIntegration {
  readonly Suspending: new <T extends CallableFunction>(call: T) => T
  promising(call: CallableFunction): (...args: readonly number[]) => Promise<number>
}
// The cast: see above. Only a machine that waits uses it; a host without it can still build an image.
export const integration = WebAssembly as unknown as PromiseIntegration

// Types for JavaScript Promise Integration, which suspends WebAssembly during a call.

/** The types of the platform do not include this API. */
interface PromiseIntegration {
  readonly Suspending: new <T extends CallableFunction>(call: T) => T
  promising(call: CallableFunction): (...args: readonly number[]) => Promise<number>
}
// The cast is safe: the interface above describes the API. It may be missing where an image is built, which
// does not use it.
export const integration = WebAssembly as unknown as PromiseIntegration

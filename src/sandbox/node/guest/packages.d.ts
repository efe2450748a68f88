// Type declarations for packages that have none, as far as they are used.
declare module 'readable-stream' {
  export class Stream {
    emit(event: string, ...args: readonly unknown[]): boolean
    on(event: string, call: (...args: readonly never[]) => unknown): this
    once(event: string, call: (...args: readonly never[]) => unknown): this
    destroy(error?: Error): this
    readonly destroyed: boolean
    pipe<T>(into: T): T
  }
  export class Readable extends Stream {
    constructor(options?: object)
    push(chunk: unknown): boolean
  }
  export class Writable extends Stream {
    constructor(options?: object)
    write(chunk: unknown, encoding?: unknown, then?: unknown): boolean
    end(chunk?: unknown): this
  }
  export class Transform extends Readable {
    write(chunk: unknown, then?: () => void): boolean
  }
  export const promises: object
}
declare module 'string_decoder/' {
  export class StringDecoder {
    constructor(encoding?: string)
    write(bytes: unknown): string
    end(): string
  }
}
declare module 'process/' {
  const process: { nextTick: unknown }
  export default process
}
declare module 'event-target-shim' {
  export class Event {
    constructor(type: string)
  }
  export class EventTarget {
    addEventListener(type: string, call: (event: unknown) => void): void
    dispatchEvent(event: Event): boolean
  }
}
declare module '@ungap/structured-clone' {
  function clone(value: unknown): unknown
  export default clone
}

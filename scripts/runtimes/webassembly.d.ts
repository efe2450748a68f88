// WebAssembly types that Node lacks, as far as the build of the runtimes uses them.
declare namespace WebAssembly {
  class Memory {
    constructor(pages: { readonly initial: number; readonly maximum: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Instance {
    constructor(module: Module, imports: object)
    readonly exports: Readonly<Record<string, unknown>>
  }
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean
}

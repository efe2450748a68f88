// The files that are loaded with the child's code (scripts/runtimes/python.ts).
declare module '*/python.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*/sqlite.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*/relay.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*/stdlib.zip' {
  const bytes: ArrayBuffer
  export default bytes
}
declare module '*/image.bin' {
  const bytes: ArrayBuffer
  export default bytes
}
declare module '*/packages.bin' {
  const bytes: ArrayBuffer
  export default bytes
}

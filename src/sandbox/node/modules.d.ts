// The files that are loaded with the child's code (scripts/runtimes/node.ts).
declare module '*/quickjs.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*/relay.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*/malloc.wasm' {
  const module: WebAssembly.Module
  export default module
}

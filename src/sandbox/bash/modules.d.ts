// The modules that are loaded with the shell's code (scripts/runtimes/bash.ts).
declare module '*/sqlite.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*/jq.wasm' {
  const module: WebAssembly.Module
  export default module
}

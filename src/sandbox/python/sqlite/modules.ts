// The WebAssembly modules that SQLite consists of in Python.

export interface SqliteModules {
  readonly sqlite: WebAssembly.Module
  readonly relay: WebAssembly.Module
}

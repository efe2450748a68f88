// The WebAssembly modules of Python's SQLite.

export interface SqliteModules {
  readonly sqlite: WebAssembly.Module
  readonly relay: WebAssembly.Module
}

// Where the files of runtimes and packages are read from.

/** A source of files: the Worker's static files, or files that are still being built. */
export interface FileSource {
  fetch(url: string): Promise<Response>
}

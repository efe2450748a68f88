// Where the files of the runtimes and packages come from.

/** A source of files: the Worker's static files, or files that are still being built. */
export interface FileSource {
  fetch(url: string): Promise<Response>
}

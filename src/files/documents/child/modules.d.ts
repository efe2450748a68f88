// Declares modules that the build creates or modifies (scripts/assets/pdf.ts).

declare module 'pdf-cmaps' {
  /** Maps each file name to its bytes in base64. */
  export const CMAPS: Readonly<Record<string, string>>
}
declare module 'pdfjs-dist/build/pdf.worker.mjs'
declare module 'pdfjs-dist/build/pdf.mjs' {
  export * from 'pdfjs-dist'
}

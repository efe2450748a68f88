// Modules that the build makes or changes (scripts/assets/pdf.ts).

declare module 'pdf-cmaps' {
  /** File name → its bytes in base64. */
  export const CMAPS: Readonly<Record<string, string>>
}
declare module 'pdfjs-dist/build/pdf.worker.mjs'
declare module 'pdfjs-dist/build/pdf.mjs' {
  export * from 'pdfjs-dist'
}

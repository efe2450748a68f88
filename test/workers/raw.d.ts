// Files that a test reads as text.

declare module '*?raw' {
  const text: string
  // oxlint-disable-next-line import/no-default-export -- Vite exports the text like that
  export default text
}

// A piece of code. For now without colours.

export interface CodeProps {
  readonly text: string
  /** As a fence names it. */
  readonly language: string
}

export function Code({ text }: CodeProps) {
  return (
    <pre class="code">
      <code>{text}</code>
    </pre>
  )
}

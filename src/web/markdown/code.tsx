// Code as it was written.

export function Code({ text }: { readonly text: string; readonly language: string }) {
  return (
    <pre class="code">
      <code>{text}</code>
    </pre>
  )
}

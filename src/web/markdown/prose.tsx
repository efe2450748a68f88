// Text as it was written, until it is drawn as Markdown.

export function Prose({ text }: { readonly text: string; readonly done: boolean }) {
  return <div class="prose">{text}</div>
}

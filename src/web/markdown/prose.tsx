// A text of Markdown. For now as it is written.

export interface ProseProps {
  readonly text: string
  /** Nothing will come any more. */
  readonly done: boolean
}

export function Prose({ text }: ProseProps) {
  return (
    <div class="prose" dir="auto">
      {text}
    </div>
  )
}

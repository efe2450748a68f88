// Text that a model or an author wrote, as it is read.

export interface ProseProps {
  readonly text: string
  /** More of it may come while this is false. */
  readonly done: boolean
}

export function Prose({ text }: ProseProps) {
  return (
    <div class="prose" dir="auto">
      {text}
    </div>
  )
}

// A placeholder shown while content loads. The style sheet makes it visible only after a short delay.

export interface SkeletonProps {
  readonly lines: number
  /** Text for screen readers. */
  readonly label: string
}

export function Skeleton({ lines, label }: SkeletonProps) {
  return (
    <div class="skeleton" role="img" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} />
      ))}
    </div>
  )
}

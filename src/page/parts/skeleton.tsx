// Where something will stand that is still on its way: seen only when that takes longer than a moment.

export interface SkeletonProps {
  readonly lines: number
  /** What a reader of the screen hears. */
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

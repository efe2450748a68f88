// The links of the side bar to other views, above or below the threads. A count is amber, because it needs the user.

import { useApp } from '../state/app.ts'
import { Icon } from '../parts/icon.tsx'
import { VIEWS, viewOf } from '../views/all.ts'

export function SideLinks({ isAbove = false }: { readonly isAbove?: boolean }) {
  const app = useApp()
  const current = viewOf(app.route.current.value)
  return (
    <>
      {VIEWS.map((view) => {
        const { address, link } = view
        if (!link || (link.isAbove ?? false) !== isAbove) return null
        const count = link.count?.(app) ?? 0
        return (
          <a
            key={address}
            class="button plain side-link"
            href={address}
            aria-current={view === current || view === current.parent ? 'page' : undefined}
          >
            <Icon name={link.icon} />
            {link.text}
            {count > 0 && (
              <span class="badge warn">
                {count}
                <span class="unseen"> waiting</span>
              </span>
            )}
          </a>
        )
      })}
    </>
  )
}

// The badge of the demo model: opens to what it is and how to get real answers.

import { Popover } from '../parts/popover.tsx'

export function DemoBadge() {
  return (
    <Popover label="About the demo model" text="Demo model" class="badge">
      {() => (
        <div class="note">
          <p>
            <strong>These answers come from the demo model.</strong> It runs on this server, matches words,
            loads skills and quotes files. It does not reason.
          </p>
          <p>
            For real answers, add a key: put <code>ANTHROPIC_API_KEY=…</code> in <code>.dev.vars</code> and
            start again, or for a deployed Worker run <code>npx wrangler secret put ANTHROPIC_API_KEY</code>.
            Then begin a new thread.
          </p>
        </div>
      )}
    </Popover>
  )
}

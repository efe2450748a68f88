// Words of everyday speech that tools hardly ever have in their names, and the words that tools have for what they mean.

/** Between semicolons: what is said, and after the colon what it may mean. */
export const COLLOQUIAL_TERMS = `
  coworker teammate workmate: user employee member; everybody anyone: users members; firm vendor supplier partner:
  company account; sync standup huddle: meeting event; agenda diary: calendar event; gap: free slot availability;
  birthday anniversary: date employee; tell ping: notify message send; compose type: create send draft; jot: comment
  note add; mark: label update status; heart: reaction favorite; examine: get details; know tell: get; bring grab take:
  get download; save keep store: create write upload; conceal: archive unpublish private; empty: delete clear; throw
  toss ditch: delete remove cancel; reverse: revert restore cancel; redo: retry rerun; bring: restore; amend tweak:
  update edit; retitle: update title; lower bump increase decrease reduce: update adjust change resize; grow shrink:
  resize; extend prolong: update extend expiry; allow entitle: grant permission access; forbid ban bar: block deny
  suspend; boot eject: remove; enter: add join invite; quit exit: remove leave; connect tie: link attach; separate
  detach: unlink remove; unite: merge; tally: count aggregate; rank best popular: list stats; versus against: compare
  diff; trend growth: metrics query timeseries; visualize: chart dashboard; reason: explain details log; lag: trace
  latency metrics; hanging: blocked status; ready: status; gone: lost missing restore; former prior: history version past
  previous; lately: latest recent list; soon next: upcoming future forecast; tonight yesterday morning afternoon evening
  monday tuesday wednesday thursday friday saturday sunday week weekend: date day time event daily; minute: hour time;
  asap critical severe severity: priority; cheapest: price rate cost; dollar euro bucks: amount payment balance; debt:
  invoice balance outstanding; debit deduct: charge; repay: refund; cashout: payout; turnover: revenue metrics;
  membership: subscription; renew renewal: subscription; promo: coupon discount; codebase: repository code; snippet
  function class: code; glitch: issue; story epic subtask: issue; hotfix: branch commit; compile: build; node instance:
  host server; memory cpu: metrics host; logfile stdout: log; rota roster: schedule; flu: sick leave absence; paycheck:
  salary payslip; newcomer: onboarding candidate employee; quit resign: offboarding termination; squad crew: team group;
  subordinate: reports; icon logo: image asset file media; handbook manual: page article documentation; blog: entry page
  article; french german spanish italian portuguese japanese chinese polish dutch english: language translate; polite
  formal: formality translate; terminology: glossary; town city street: address location place; walk bike: directions
  route distance; nearest closest: nearby search places; coffee cafe bar museum: places; umbrella sunny cloudy: weather
  forecast conditions; warning: alerts; smog: air quality; internet google: web search; complaint unhappy: ticket
  satisfaction; traffic: users sessions events; tap: events; dropoff: funnel; retained: retention; behavior: events
  journey; variant: experiment; stuff: item stock product; rack aisle: location bin; lorry: carrier; postage: shipment
  rate; supplier vendor: purchase order; whereabouts: location track find; sticker: label; recount stocktake: count
  inventory; passcode: password reset; yubikey: factor mfa; lockout: unlock lock; rights privilege: permission role
  grant; software program tool: application; chair keyboard mouse headset: equipment order; breakfast: menu lunch; leak
  heating lamp: facility issue; boardroom: room; gradually percent: rollout percentage; heavy: cost history
`

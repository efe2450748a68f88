// How words of tools and queries are read: other forms of the same word, and phrases whose words mean something else one by one.

/** Between semicolons: a word, and words that are read as it. A word with `+` is two. */
export const EQUAL_TERMS = `
  address addr; admin administrator sysadmin; amount amt; app application; approve approval; arrive arrival; auth authn
  authentication authenticate; begin began begun; build built; buy bought; calendar cal; cancel cancellation
  cancelation; catalog catalogue; center centre; channel chan; child children kid; choose chose chosen; comment cmt;
  complain complaint; configure configuration config conf cfg; confirm confirmation; convert conversion; customer cust;
  daily day; database db dbs; decide decision; delete del deletion; deliver delivery; depart departure; department dept;
  describe description desc; direct+message dm dms; directory dir dirs; document doc documentation; email mail; enroll
  enrol enrolment enrollment; environment env; error err errs; event evt; expire expiry expiration; fail failure; find
  found; fulfill fulfil fulfilment fulfillment; gray grey; grow growth; hold held; hour hr hrs; id identifier uuid guid;
  image img imgs; information info; infrastructure infra; inquire inquiry enquiry; install installation; invite
  invitation; invoice inv; keep kept; kubernetes k8s; latitude lat; leave left; library lib libs; license licence;
  longitude lng lon; lose lost; make made; manager mgr; maximum max; meet met; merge+request mr mrs; message msg msgs;
  minimum min; monthly month; notify notification; number num; order ord; organization org organisation; out+office ooo;
  package pkg; parameter param; password pwd passwd pw; pay paid; permit permission; person people; phone telephone tel;
  picture photo pic photograph; pixel px; present presentation; priority prio; production prod; program programme;
  project proj; pull+request pr prs; quantity qty; receive receipt; refund reimburse; register registration; remove
  removal; repository repo; request req; reserve reservation; respond response resp; retrieve retrieval; schedule sched;
  second sec; sell sold; send sent; server srv; service svc; spend spent; statistic stat; submit submission; subscribe
  subscription sub; summarize summary summarise; take took taken; task todo; technology tech; temperature temp;
  temporary tmp; think thought; ticket tkt; time+zone timezone tz; transaction txn tx; translate translation; two+factor
  2fa; user usr; vacation pto; variable var; version ver; video vid; virtual+machine vm vms; weekly week; write wrote
  written; yearly year annual annually
`

/** Between semicolons: phrases, and after the colon the words that they are read as. Up to four words may stand at `~`. */
export const PHRASES = `
  turn~on | switch~on | flip~on: enable; turn~off | switch~off: disable; push~back | put~off | move~back: postpone
  reschedule; move~forward | bring~forward: reschedule; call~off: cancel; set~up | spin~up | stand~up | put together:
  create; take~down | tear~down: remove; get rid of | throw~away: delete; clean~up: purge delete; look~up | look for |
  find out | dig up: find; look into: investigate; look at | take a look: view; hand~over | hand~off | pass~on | give~to:
  assign transfer; pick~up: pickup; give~back | pay~back | money back: refund; send~back | bring back: return; put~back |
  roll~back | go back to | change~back: restore rollback revert; sign~up: register; sign in | signs in | signed in |
  signing in | log in | logs in | logged in | logging in: login; sign~out | signed out | log~out | logged out | log off |
  kick~out: logout session; sign~off: approve; let~know: notify; write~down | note~down: note create; fill~out | fill~in:
  submit; kick~off: start; shut~down: stop; lock~out | locked out: locked; add~up | sum~up:
  total; how many: count; how much: amount; how long: duration time; how often: frequency count; how far: distance; how
  old: age; what time: time; right now | at the moment | at present: current; at once | in one go | in bulk: batch bulk
  multiple; out of office: vacation responder; off sick | call in sick | called in sick | calling in sick: sick absence;
  time off | days off | day off | off work: vacation leave absence; get together | gets together | catch up | one on one:
  meeting; follow up: followup reminder; on call: oncall; check~in: checkin; check~out: checkout; go live | goes live |
  went live | gone live: publish; roll~out: rollout deploy; broken down by: group; free time: availability; running low |
  run out | runs out | out of stock: stock; came in | come in: received; go wrong | went wrong | going wrong: error; is
  down | goes down | went down: outage; single sign on: sso; two factor | multi factor | second factor: mfa; work in
  progress: draft; thumbs up: reaction; back~up: backup; set~aside | put~aside: reserve; put~on hold | on hold: hold
  pause; reach out | get in touch | got in touch: contact message; keep an eye on: watch monitor; coming up | comes up:
  upcoming; up to date: latest; left over | do we have left | is left | are left: remaining; who changed | what changed |
  has changed | made changes: history changes; what happened: history log; step by step: directions; in other words:
  rephrase; say~in: translate; close to | next to | not far from: nearby; put in | put~into: add; write up: create
  document; point of interest | points of interest: place; a lot of: many
`

/** Words that are common everywhere, so that a tool that has one is hardly more likely to be meant. */
export const VAGUE_TERMS = `
  able already actually across along amount apart around back bad based basically best better big bit bring called certain clear
  clearly close come coming complete concerning correctly current currently different directly easily enough entire especially
  exact exactly existing far fast first five four full fully get give given go good great happen hard important inside keep kept
  large last late left let little long look main make mean moment name named near neat need new nice non normal old original own
  part particular point previous properly put quick quickly ready real regarding related right safe second set short show side
  simple single small soon sort specific straight stuff sure take taken tell third three time top total try turn two various want
  way whole wide work wrong yet
`

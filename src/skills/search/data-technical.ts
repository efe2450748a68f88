// What people call the things of software, and what skills call them. Data only; the form is that of data-office.ts.

export const TECHNICAL = `
bug defect error fault issue failure
crash exception stacktrace stack_trace traceback panic
does_not_work doesn_work broken works_on_my_machine works_here > debug bug error diagnose
why_does goes_wrong strange_behaviour > debug bug diagnose root
debug diagnose troubleshoot troubleshooting investigate
root_cause diagnose cause
fix repair resolve mend solve
slow performance latency speed fast profiling bottleneck
load_speed speed_up faster > performance optimize latency
follow_request > tracing observability distributed
noisy_fan cooler cooling > fan thermal cooling profile
memory ram heap leak
hacked breach compromised intrusion > incident forensics security malware
malware virus ransomware trojan
attacker hacker exploit attack vulnerability threat
inject injection xss sanitization
security secure hardening vulnerability
password secret credential vault token
secret_store password_manager > vault secret
login signin sign_in authentication auth oauth sso
permission authorization access rbac iam role
admin_rights admin_access root_access elevated > privileged access iam admin
temporary time_limited > temporary access
encrypt encryption crypto cryptography tls certificate
digital_signature > cryptographic signature
edge_cases > fuzz vector test
test testing unittest spec tdd
unit_test junit pytest jest vitest > unit test
every_line each_statement untested > coverage test
coverage untested
automatically_check > unit test
end_to_end e2e playwright cypress browser_test
fuzz fuzzing property_based
mock stub fake
review code_review pull_request
patch merge_request diff > pull request commit
merge_request > pull request
pull_request pr merge_request
commit git changelog
git github gitlab version_control repo repository
branch rebase merge
release changelog version publish
many_packages one_repository one_repo several_packages > monorepo workspace
monorepo workspace turborepo nx
deploy deployment release rollout ship publish hosting
put_online go_live online live host publish > deploy deployment hosting
share_link public_address > deploy link preview
ci cd pipeline continuous_integration workflow actions
docker container containerize dockerfile
container_image docker_build docker_image > container image registry
kubernetes k8s cluster pod helm gke eks aks
sidecar mesh service_mesh istio linkerd proxy
cloud aws azure gcp
amazon_cloud amazon > aws amazon
microsoft_cloud microsoft > azure microsoft
google_cloud > gcp google cloud
cloud_bill cloud_cost > cost cloud optimization
terraform iac infrastructure bicep cloudformation pulumi
server backend api
serverless lambda function worker edge
virtual_machine vm instance ec2 compute
running_right_now what_is_running > resource query inventory list
monitor monitoring observability alert metric
log logging logs
trace tracing telemetry opentelemetry
degrade > monitoring drift alert
alert alarm notification notify reminder
throttle throttled rate_limit limit quota 429
try_again retry backoff resilience
bulk batch mass
queue waiting_line line wait > queue simulation
simulate simulation model
checkout > queue simulation
database db sql postgres mysql sqlite
query sql select
schema_change alter_table > migration schema
migration migrate upgrade
orm prisma typeorm drizzle sequelize
nosql mongodb dynamodb document_store
cache caching redis memoize
repeated_prompt > prompt cache
search_index elasticsearch retrieval
query_fast > query efficient storage
vector embedding rag retrieval semantic
etl pipeline ingestion warehouse
data dataset analytics
analyze analysis analytics explore
dashboard bi kpi report
statistics statistical regression significance
throw_out outlier > filter quality control
machine_learning ml model training
train training fit finetune fine_tune
classifier classification model
put_behind_api serve_model serving > deploy production inference api
neural_network deep_learning pytorch tensorflow transformer
reinforcement_learning reward policy agent rl gym
learn_to_play > reinforcement learning
llm gpt language_model claude openai
prompt prompting instruction
agent assistant autonomous
tool_provider > mcp server tool
mcp model_context_protocol fastmcp
qubit quantum circuit
gpu cuda accelerator nvidia
embedded firmware iot device board
robot robotics ros
network networking socket connection
lag latency_in_game desync > networking synchronization multiplayer
several_players together_online > multiplayer networking
realtime real_time live streaming websocket
typing_hint typing_indicator > typing chat
each_other > chat messaging
frontend ui web client
button menu component widget
react jsx component hooks
video_from_code > video animation
css style tailwind styling utility_class
mobile phone smartphone app
iphone ipad ios apple swift
android kotlin
one_codebase cross_platform both_platforms > cross platform mobile react native flutter
no_network works_offline > offline sync
offline sync local_first
desktop electron native
local_storage > storage local core data
browser chrome firefox
click_around drive_browser automate_browser > browser automation devtools
scrape scraping crawl crawler extract
api endpoint rest openapi
graphql schema federation
webhook callback event
microservice distributed service
architecture design pattern system
clean_code maintainable readable refactor
messy_code spaghetti > refactor clean
keep_it_working without_changing > refactor behavior
rename extract restructure refactor
legacy old_code modernize migration
outdated out_of_date newer_release newer_version bump > upgrade dependency update version
library package dependency module
c_library csharp_library dotnet_library > nuget
csharp dotnet net c
rust cargo crate
python pip django flask fastapi
javascript typescript js ts node npm
java jvm spring maven gradle
golang go
ruby rails
php laravel wordpress
swift swiftui xcode ios macos
shell bash terminal command_line cli
windows powershell
linux unix ubuntu
lint linter style eslint format formatter static_analysis
check_style check_syntax > lint static analysis
type typing typecheck
documentation docs readme manual guide wiki
how_to_use new_people > documentation guide onboarding readme
runbook playbook sop procedure
specification spec requirement prd
write_down > specification requirement document
user_story acceptance_criteria requirement
estimate estimation sizing effort
utility tool script helper gadget
quick_hack > prototype tool build
prototype mvp poc
scaffold generate boilerplate bootstrap starter
plugin extension addon
bot chatbot automation
automate automation workflow script
cron schedule scheduled job
config configuration settings setup
install setup configure
file folder directory path
upload download storage blob bucket
compress zip archive
parse parser extract
regex pattern expression
json yaml xml
markdown md text
html page web
crm salesforce hubspot
on_save trigger > trigger apex automation
payment stripe checkout billing
blockchain crypto web3 ethereum solidity smart_contract
3d render mesh blender
game unity godot unreal
strokes > dash
template_page landing_page > programmatic page template seo location
stay_in_memory on_disk > file persistent notes plan
`

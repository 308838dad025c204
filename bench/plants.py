"""What is planted into a store before a night, invented for that: how each case must end is known beforehand.

Nothing here was written with a look at how duplicates are found: what is the same is the same to a reader, and what
is not is not. Whoever plants checks by the embedder that both sorts are nearer than the bound.
"""

from __future__ import annotations

Pair = tuple[str, str]

DUPLICATES: tuple[Pair, ...] = (
    (
        "The checkout worker drains its queue for 40 seconds before every deploy.",
        "Before every deploy, the checkout worker drains its queue for 40 seconds.",
    ),
    (
        "Ledger backups are encrypted with the vault key.",
        "The ledger backups are encrypted with the vault key.",
    ),
    (
        "The mail relay keeps bounced letters for 7 days.",
        "The mail relay keeps bounced letters around for 7 days.",
    ),
    (
        "Grafana dashboards of the import team live in the folder Intake.",
        "The Grafana dashboards of the import team live in the Intake folder.",
    ),
    (
        "Run the schema migration from the bastion host, since laptops are blocked by the firewall.",
        "Run the schema migration from the bastion host, because laptops are blocked by the firewall.",
    ),
    (
        "Thumbnails are resized by a lambda function in the Frankfurt region.",
        "Thumbnails get resized by a lambda function in the Frankfurt region.",
    ),
    (
        "The nightly export failed because the disk of the build host was full.",
        "The nightly export failed because the build host's disk was full.",
    ),
    (
        "Ilvane prefers pull requests that are smaller than 300 lines.",
        "Ilvane prefers pull requests smaller than 300 lines.",
    ),
    (
        "The search cluster is restarted every Sunday at noon.",
        "Every Sunday at noon the search cluster is restarted.",
    ),
    (
        "Feature flags for the mobile app are kept in the repository called beacon.",
        "Feature flags for the mobile app are kept in the repository named beacon.",
    ),
    (
        "The payment gateway rejects requests whose timestamp is older than 5 minutes.",
        "The payment gateway refuses requests whose timestamp is older than 5 minutes.",
    ),
    (
        "Invoices are rendered as PDF files by the printing service at night.",
        "At night, invoices are rendered as PDF files by the printing service.",
    ),
    (
        "The staging database is restored from production every Monday morning.",
        "The staging database gets restored from production each Monday morning.",
    ),
    (
        "Kamsa owns the release calendar and approves every hotfix.",
        "Kamsa owns the release calendar, and approves each hotfix.",
    ),
    (
        "The rate limiter of the public API allows 120 requests a minute for each key.",
        "The rate limiter of the public API allows 120 requests per minute for each key.",
    ),
    (
        "Large CSV uploads must be split into parts of 50 megabytes before they are sent.",
        "Before they are sent, large CSV uploads must be split into parts of 50 megabytes.",
    ),
    (
        "Customer addresses are checked against the postal register during signup.",
        "During signup, customer addresses are checked against the postal register.",
    ),
    (
        "The websocket server drops idle connections after ten minutes.",
        "The websocket server drops connections that are idle after ten minutes.",
    ),
    (
        "The terraform state is stored in the bucket harbour-state with versioning turned on.",
        "The terraform state is stored in the bucket harbour-state with versioning enabled.",
    ),
    (
        "The warehouse scanner sends its readings over MQTT to the broker in hall two.",
        "The warehouse scanner sends its readings to the broker in hall two over MQTT.",
    ),
    (
        "Cache keys contain the tenant id, so that customers never see each other's data.",
        "Cache keys contain the tenant id so customers never see each other's data.",
    ),
    (
        "Alerts about certificate expiry go to the channel ops-night.",
        "Alerts about certificate expiry go to the ops-night channel.",
    ),
    (
        "Translations of the help pages are reviewed by Hestin before they are published.",
        "Before they are published, translations of the help pages are reviewed by Hestin.",
    ),
    (
        "The forklift batteries in the depot are charged overnight to save money.",
        "The forklift batteries in the depot are charged overnight in order to save money.",
    ),
)
"""The older, and the same fact in other words."""

TWINS: tuple[tuple[str, str, str], ...] = (
    (
        "negation",
        "The importer of the shop retries every failed row once more after the whole batch has finished.",
        "The importer of the shop does not retry every failed row once more after the whole batch has finished.",
    ),
    (
        "negation",
        "It is known why the freezer in hall two lost power on the night of the storm.",
        "It is not known why the freezer in hall two lost power on the night of the storm.",
    ),
    (
        "negation",
        "The cooling fan of the server rack was replaced after the outage in spring.",
        "The cooling fan of the server rack was not replaced after the outage in spring.",
    ),
    (
        "number",
        "The session token of the portal expires after 15 minutes of inactivity.",
        "The session token of the portal expires after 30 minutes of inactivity.",
    ),
    (
        "number",
        "The spreadsheet parser accepts files of up to 200 rows in one upload.",
        "The spreadsheet parser accepts files of up to 2000 rows in one upload.",
    ),
    (
        "number",
        "Backups of the wiki are kept for three weeks and then deleted.",
        "Backups of the wiki are kept for five weeks and then deleted.",
    ),
    (
        "qualifier",
        "The Orbit client Pro exports its reports as spreadsheets.",
        "The Orbit client Max exports its reports as spreadsheets.",
    ),
    (
        "qualifier",
        "The legacy uploader writes its log to the shared disk.",
        "The uploader writes its log to the shared disk.",
    ),
    (
        "name",
        "Parcels for building A are kept at the reception desk until noon.",
        "Parcels for building B are kept at the reception desk until noon.",
    ),
    (
        "name",
        "The fraud detection model is retrained once a month on the cluster in Lisbon by the data science team.",
        "The fraud detection model is retrained once a month on the cluster in Porto by the data science team.",
    ),
    (
        "name",
        "The orders table of the shop database is vacuumed at night by a cron job.",
        "The customers table of the shop database is vacuumed at night by a cron job.",
    ),
    (
        "weekday",
        "The tape library in the basement is cleaned every Tuesday afternoon.",
        "The tape library in the basement is cleaned every Thursday afternoon.",
    ),
    (
        "weekday",
        "The release train of the bank leaves on Wednesdays after the standup.",
        "The release train of the bank leaves on Fridays after the standup.",
    ),
    (
        "antonym",
        "Enable the connection pool before you run the load test.",
        "Disable the connection pool before you run the load test.",
    ),
    (
        "antonym",
        "The lift doors open by themselves when the fire alarm rings.",
        "The lift doors close by themselves when the fire alarm rings.",
    ),
    (
        "antonym",
        "The latency of requests increased after the cache was moved to another zone.",
        "The latency of requests decreased after the cache was moved to another zone.",
    ),
    (
        "unit",
        "The uploader of the gallery waits 30 seconds for the virus scan.",
        "The uploader of the gallery waits 30 minutes for the virus scan.",
    ),
    (
        "unit",
        "The freezer sensor reports its temperature every 5 minutes.",
        "The freezer sensor reports its temperature every 5 hours.",
    ),
    (
        "unit",
        "The log volume of the gateway is limited to 20 megabytes a day.",
        "The log volume of the gateway is limited to 20 gigabytes a day.",
    ),
    (
        "direction",
        "The replica copies its data from the primary in Oslo to the standby in Bergen.",
        "The replica copies its data from the primary in Bergen to the standby in Oslo.",
    ),
    (
        "direction",
        "Orders are exported from the shop to the warehouse system.",
        "Orders are exported from the warehouse system to the shop.",
    ),
    (
        "order",
        "Restart the indexer of the archive before the migration is run.",
        "Restart the indexer of the archive after the migration is run.",
    ),
    (
        "scope",
        "Some of the sensors on the bridge are powered by solar panels.",
        "All of the sensors on the bridge are powered by solar panels.",
    ),
)
"""What differs, and two memories that are no duplicates."""

ALIASES: tuple[tuple[str, str], ...] = (
    ("service:checkout api", "service:Checkout API"),
    ("service:ledger-sync", "service:ledger sync"),
    ("project:night harbour", "project:Night-Harbour"),
    ("tool:invoice renderer", "tool:invoice rendrer"),
    ("service:payments gateway", "service:payment gateway"),
    ("team:platform engineering", "team:Platform Enginering"),
    ("database:orders_primary", "database:orders primary"),
    ("product:Orbit Reader", "product:orbit reader"),
    ("topic:money-moved", "topic:money moved"),
    ("system:warehouse scanner", "system:Warehouse Scaner"),
)
"""A name, which more memories have, and another spelling of it."""

OTHERS: tuple[tuple[str, str], ...] = (
    ("service:eu west 1", "service:eu west 2"),
    ("service:import api", "service:export api"),
    ("product:orbit reader pro", "product:orbit reader max"),
    ("team:billing ui", "team:billing api"),
)
"""Names that are alike and stand for two things."""

DANGLING: tuple[Pair, ...] = (
    ("The harbour crane is inspected by an outside firm.", "The outside firm that inspects cranes is called Vektra."),
    ("The intranet wiki is searched by its own crawler.", "The crawler of the wiki skips pages without an owner."),
    ("Vouchers of the shop are printed on green paper.", "Green paper is ordered from the mill in Tumba."),
    ("The night bus to the depot stops at the gate.", "The gate of the depot is locked until sunrise."),
    ("Onboarding starts with a tour through the archive.", "The tour through the archive is led by the librarian."),
)
"""A memory, and one that it leads to, which somebody then moves or deletes by hand."""

EXPIRED: tuple[str, ...] = (
    "The canteen serves only cold meals while its kitchen is rebuilt.",
    "Parking in the courtyard is reserved for the film crew.",
    "The demo tenant runs on borrowed hardware.",
    "Visitors sign in at the rear entrance.",
    "The phone line of the front desk is answered by an agency.",
    "The meeting room Aspen is used as a storage room.",
    "Travel requests are approved by the interim manager.",
    "The bicycle shed is closed for painting.",
    "The trial licence of the profiler covers nine seats.",
    "Parcels are handed out by the neighbour across the street.",
)
"""The first half is used a lot, the second never."""

CONTRADICTIONS: tuple[Pair, ...] = (
    ("The fence around the solar park is two metres high.", "The solar park has no fence around it at all."),
    ("The choir rehearses in the old chapel.", "The choir has moved out of the chapel and rehearses in the gym."),
    ("Apprentices may operate the lathe alone.", "Apprentices need a supervisor to operate the lathe."),
)
"""Two memories of which one says that it contradicts the other."""

PEOPLE: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Marta Quellin", "Marta Brandt", ("The keys of the server room are with her.", "She rewrote the tariff tables.")),
    ("Jonas Ferrow", "J. Ferrow", ("He audits the petty cash.", "His laptop is the one with the dead hinge.")),
)
"""A person's name, a former one that the person's file declares, and what memories say under the former one."""

UNTOUCHABLE: tuple[tuple[str, str], ...] = (
    ("The emergency generator is started by hand.", "The emergency generator is started by hand, always."),
    ("The vault code is changed after each audit.", "After each audit the vault code is changed."),
)
"""Nearly the same, but one is of the highest importance, or a person wrote it: nobody may touch either."""

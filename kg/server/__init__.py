"""The local web application: a SPARQL endpoint, linked data, and the places where pages are put in.

`settings` what a server is told, `dataset` what it serves, `serving` and `command` start it; `app` and `room` are the application and its
state. A query goes through `endpoint`, `protocol`, `negotiation` and `kg.federation` to `workers`, `nursery` and `worker`. `linked`, `library`
and `description` make documents; `pages` is where HTML comes in; `faults`, `shield` and `sending` are how all of it is sent.
"""

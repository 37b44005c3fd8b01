"""Tickets and bindings (PROTOCOL.md 8.7)."""

from __future__ import annotations

from client import Client, Session, ending
from wires import ref

from progressbus._generated import progressbus_pb2 as wire

KINDS = [wire.BINDING_KIND_HOLDER, wire.BINDING_KIND_CHILD, wire.BINDING_KIND_INERT]


def _known(client: Client, index: int, task: wire.TaskRef) -> wire.Binding:
    """What an earlier broker is said to have answered."""
    return wire.Binding(
        index=index,
        kind=client.chance.choice(KINDS),
        task=task,
        attempt=client.chance.choice([1, 2, 10_000, (1 << 32) - 1]),
    )


def redeeming_others(client: Client) -> None:
    """Redeems honest tasks and jobs that are no tickets, and says that they have failed."""
    session = client.session()
    for number in client.turns():
        victim = client.chance.choice(client.victims())
        index = number + 1
        session.report(descriptions=[wire.Description(index=index, title="Mine", ticket=victim)])
        session.say(redeem=wire.Redeem(index=index, ticket=victim))
        row = ending(index, wire.STATED_STATE_FAILED)
        row.description.ticket.CopyFrom(victim)
        session.end(row)


def redeeming_others_as_known(client: Client) -> None:
    """The same with a binding that an earlier broker is said to have made."""
    session = client.session()
    for number in client.turns():
        victim = client.chance.choice(client.victims())
        index = number + 1
        session.report(descriptions=[wire.Description(index=index, title="Mine", ticket=victim)])
        known = _known(client, index, victim)
        session.say(redeem=wire.Redeem(index=index, ticket=victim, known=known))
        session.report(amount_index=[index], completed=[1 << 40], total=[1])


def redeeming_nothing(client: Client) -> None:
    """Redeems tickets that nobody has made, with and without what is said to be known."""
    session = client.session()
    for number in client.turns():
        ticket = ref(client.number(), client.number())
        index = number + 1
        known = _known(client, index, ticket) if number % 2 else None
        session.say(redeem=wire.Redeem(index=index, ticket=ticket, known=known))
        if number % 3 == 0:
            session.report(descriptions=[wire.Description(index=index, title="T", ticket=ticket)])


def attempts_without_end(client: Client) -> None:
    """Redeems a ticket, fails, redeems again: attempt after attempt, children in each."""
    issuer, holder = client.session(), client.session()
    issuer.begin(range(1, 2))
    issuer.report(
        descriptions=[wire.Description(index=2, parent=ref(1), is_ticket=True, title="Ticket")]
    )
    ticket = ref(2, issuer.id)
    issuer.nap(0.1)
    for number in client.turns():
        first = 1 + number * 20
        holder.report(
            descriptions=[
                wire.Description(index=first, ticket=ticket, title=f"Attempt {number}"),
                *(
                    wire.Description(index=first + n, parent=ref(first), title="Child")
                    for n in range(1, 20)
                ),
            ]
        )
        holder.say(redeem=wire.Redeem(index=first, ticket=ticket))
        row = ending(first, wire.STATED_STATE_FAILED)
        row.description.ticket.CopyFrom(ticket)
        holder.end(row)


def many_holders(client: Client) -> None:
    """One ticket that thousands of tasks of many sessions redeem."""
    issuer = client.session()
    issuer.begin(range(1, 2))
    issuer.report(descriptions=[wire.Description(index=2, parent=ref(1), is_ticket=True)])
    ticket = ref(2, issuer.id)
    issuer.nap(0.1)
    for _ in client.turns():
        holder = Session(client, control=issuer.control)
        holder.hello()
        for index in range(1, 30):
            holder.say(redeem=wire.Redeem(index=index, ticket=ticket))


def tickets_of_themselves(client: Client) -> None:
    """Tickets below what redeems them, tickets that redeem tickets, in rings."""
    session = client.session()
    for number in client.turns():
        one = 1 + number * 4
        session.report(
            descriptions=[
                wire.Description(index=one, ticket=ref(one + 1, session.id), title="Redeemer"),
                wire.Description(index=one + 1, parent=ref(one), is_ticket=True, title="Ticket"),
                wire.Description(index=one + 2, ticket=ref(one + 3, session.id), title="Redeemer"),
                wire.Description(index=one + 3, parent=ref(one + 2), is_ticket=True),
            ]
        )
        for index in range(one, one + 4):
            other = one + (index - one + 1) % 4
            session.say(redeem=wire.Redeem(index=index, ticket=ref(other, session.id)))


def tickets_in_masses(client: Client) -> None:
    """Tickets that nobody will redeem, row by row over control."""
    session = client.session()
    session.begin(range(1, 2))
    for number in client.turns():
        rows = []
        for index in range(2 + number * 200, 2 + (number + 1) * 200):
            description = wire.Description(index=index, parent=ref(1), is_ticket=True, title="T")
            rows.append(wire.Ending(description=description, state=wire.STATED_STATE_RUNNING))
        session.end(*rows)

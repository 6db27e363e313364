"""Sentences written for this book to test a model: a word with two meanings.

Each set stands twice, so that what is seen in the first can be tried on the second. They are small
and made by hand: they show what a model does with them, and not how often it does so in real text.
"""

from __future__ import annotations

from typing import NamedTuple


class BankSentences(NamedTuple):
    """Sentences with the word "bank" once in each, by what it means there.

    In a trap some other words belong to the other meaning. In `other` it is neither: a bank of
    clouds, to bank on somebody, a plane that banks.
    """

    river: tuple[str, ...]
    money: tuple[str, ...]
    river_traps: tuple[str, ...]
    money_traps: tuple[str, ...]
    other: tuple[str, ...]


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.strip().splitlines())


BANK = BankSentences(
    river=_lines("""
I swam across the river to get to the other bank.
We sat on the grassy bank and watched the ducks.
The boat drifted towards the muddy bank.
Willows grow along the bank of the stream.
He pulled the canoe up onto the bank.
The flood washed away part of the bank.
An otter slid down the bank into the water.
They fished from the bank until sunset.
The path follows the left bank of the river.
Reeds hid the nest at the foot of the bank.
A heron stood motionless near the bank.
The current carried her back to the bank.
"""),
    money=_lines("""
I walked across the road to get cash from the bank.
She opened an account at the bank.
The bank refused to give him a loan.
He works as a clerk in a bank.
My bank charges a fee for every transfer.
The bank raised its interest rates again.
They robbed the bank and fled in a van.
Please pay the bill through your bank.
The bank closes at four on Fridays.
Her savings are safe in the bank.
A bank in the city bought all the shares.
The manager of the bank signed the contract.
"""),
    river_traps=_lines("""
The banker paid for his fishing licence and sat down on the bank to count his money.
On the bank of the river the salesman lost his wallet, his cash and his credit cards.
The accountant dropped her savings book while climbing the muddy bank.
For a fee of ten dollars you may fish from this bank.
The rich investor swam to the far bank with a gold coin in his hand.
He hid the stolen cash in a hole in the bank, just above the water.
"""),
    money_traps=_lines("""
After a swim in the river he went to the bank to open an account.
The fisherman asked the bank for a loan to buy a boat.
The bank beside the river closes at four, when the boats come in.
Her bank lent her the money for the canoe and the fishing rods.
The flood ruined the safe of the bank and soaked all the money.
The bank of the fishing village on the shore charges low fees.
"""),
    other=_lines("""
A bank of dark clouds rolled in from the sea.
You can bank on her to be on time.
The pilot had to bank sharply to the left.
He flipped every switch on the bank of controls.
"""),
)

MORE_BANK = BankSentences(
    river=_lines("""
The children threw stones from the bank.
Cows came down to the bank to drink.
She tied the raft to a tree on the bank.
Wild garlic covers the steep bank.
The salmon were resting close to the bank.
We pitched our tent on the bank of the lake.
The ferry left the bank at dawn.
He slipped on the wet bank and fell in.
A crocodile lay asleep on the sandy bank.
The stream broke through its bank after the storm.
On the opposite bank stood an old mill.
The swimmers rested on the bank.
"""),
    money=_lines("""
The bank sent me a new credit card.
He owes the bank more than his house is worth.
A young couple asked the bank about a mortgage.
The bank lost millions in the crisis.
You must show your passport at the bank.
She left her job at the bank to study law.
The government rescued the bank last year.
My grandfather never trusted any bank.
There is a queue in front of the bank today.
The bank will check your income first.
He transferred the money to a foreign bank.
The robbers were caught outside the bank.
"""),
    river_traps=_lines("""
The cashier sat down on the bank, forgot her coins and fed the ducks.
The treasurer paid the fisherman in cash on the bank of the stream.
They sold tickets and counted the dollars on the grassy bank.
The lender and the debtor argued about interest on the bank of the canal.
He buried his savings in the bank, under the roots of a willow.
The wealthy owner charges a fee to moor at his bank.
"""),
    money_traps=_lines("""
The bank gave the ferryman credit for a new boat.
She took the ferry across the river and paid her bill at the bank.
The sailor keeps all his savings in a bank by the harbour.
The bank will not insure a house so close to the water.
Ducks swim in the pond behind the bank where I have my account.
The bank paid for the bridge over the stream.
"""),
    other=_lines("""
A bank of fog lay over the valley.
Do not bank on good weather tomorrow.
The aircraft began to bank to the right.
A bank of screens covered the whole wall.
"""),
)

import json
import sys

from manage import AuthenticatedClient as ManagementClient
from manage.api.accounts import get_account
from manage.api.animals import list_animals
from manage.models import Error as ManagementError
from manage.models import ListAnimalsEnvironment
from public import AuthenticatedClient
from public.api.animals import create_pet, list_pets, update_pet
from public.models import Error, ListPetsStatus, NewPet, Pet, PetPatch, PetStatus

base, api_key, token, account = sys.argv[1:5]
pets = AuthenticatedClient(base_url=f"{base}/v1", token=api_key)
management = ManagementClient(base_url=f"{base}/manage/v1", token=token)

made = create_pet.sync_detailed(client=pets, body=NewPet(name="Rex", category_id=1))
assert isinstance(made.parsed, Pet)
updated = update_pet.sync(
    made.parsed.id,
    client=pets,
    body=PetPatch(status=PetStatus.PENDING),
    if_match=made.headers["etag"],
)
assert isinstance(updated, Pet)
listed = list_pets.sync(client=pets, status=ListPetsStatus.PENDING, id=[updated.id])
assert isinstance(listed, list)
refused = create_pet.sync(client=pets, body=NewPet(name="", category_id=1))
assert isinstance(refused, Error)

animals = list_animals.sync(account, ListAnimalsEnvironment.PRODUCTION, client=management)
assert isinstance(animals, list)
absent = get_account.sync("acc_none", client=management)
assert isinstance(absent, ManagementError)
print(
    json.dumps(
        {
            "status": updated.status.value,
            "names": [pet.name for pet in listed],
            "code": refused.code.value,
            "animals": [animal.name for animal in animals],
            "absent": absent.code.value,
        }
    )
)

/** Friendly adjectives: shelters publish these addresses. */
export const adjectives: readonly string[] = words(`
  able agile airy amber ample apt azure balmy basic bold brave breezy bright brisk bubbly calm
  candid cheery chipper clear clever cosy crisp curious dapper daring dear deft eager early
  earnest easy fair famous fancy fleet fluffy fond fresh friendly frosty gentle giddy glad golden
  good grand great handy happy hardy hearty honest hopeful humble jaunty jolly jovial joyful keen
  kind lively loyal lucky lunar mellow merry mighty mild modest neat nice nimble noble patient
  peppy perky plucky polite proud quick quiet rapid ready regal rosy royal sandy serene shiny
  silky silver sleek smart snowy snug soft solar solid spry stellar stout sunny super sure sweet
  swift tender tidy tiny trusty upbeat valiant velvet vivid warm wise witty woolly zesty zippy
`);

/** Animals that people like. */
export const animals: readonly string[] = words(`
  alpaca badger bear beaver beagle bison bobcat bunny camel canary caribou cat chamois cheetah
  chick chinchilla collie corgi cougar crane deer dingo dolphin donkey dove duck eagle egret elk
  falcon ferret finch foal fox gazelle gecko gerbil gibbon giraffe goat goose grouse gull hamster
  hare hawk hedgehog heron horse hound husky ibex ibis iguana jackdaw jaguar kestrel kitten kiwi
  koala lamb lark lemur leopard linnet lion llama loris lynx magpie mallard marmot marten mink
  mole mongoose moose mouse newt nuthatch ocelot okapi oriole osprey otter owl panda parrot
  partridge pelican penguin pheasant pigeon pika pony poodle possum puffin puma puppy quail quokka
  rabbit raccoon raven redstart reindeer robin rook salmon seal serval shrew siskin sloth sparrow
  spaniel squirrel starling stoat stork swallow swan tapir tern terrier thrush tiger toucan turtle
  vole wagtail wallaby walrus warbler weasel whale whippet wolf wombat wren yak zebra
`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
